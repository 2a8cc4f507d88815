# Cohen's kappa with equal-spacing and Fleiss-Cohen weights, and asymptotic standard errors, by vcd's Kappa.
# Writes agreement_tables.csv and agreement_kappa.csv.
# Run in this folder: Rscript agreement_make.R       Made with R 4.2.2, vcd 1.4-11.
suppressPackageStartupMessages(library(vcd))

set.seed(11)
tables <- list(matrix(c(702, 10, 44, 77), 2), matrix(c(3, 1, 0, 2, 5, 2, 0, 1, 4), 3))
for (k in c(2, 3, 4, 5, 7)) tables[[length(tables) + 1]] <-
  matrix(rpois(k * k, 40 * 0.5^abs(outer(1:k, 1:k, "-"))), k) + diag(rpois(k, 30), k)

counts <- list(); errors <- list()
for (place in seq_along(tables)) {
  table <- tables[[place]]
  counts[[place]] <- data.frame(table = place, row = c(row(table)), column = c(col(table)), count = c(table))
  for (weights in c("Equal-Spacing", "Fleiss-Cohen")) {
    found <- Kappa(table, weights = weights)
    errors[[length(errors) + 1]] <- data.frame(
      table = place, weights = c("none", weights), value = sprintf("%.15g", c(found$Unweighted[[1]], found$Weighted[[1]])),
      se = sprintf("%.15g", c(found$Unweighted[[2]], found$Weighted[[2]])))
  }
}
write.csv(do.call(rbind, counts), "agreement_tables.csv", row.names = FALSE, quote = FALSE)
write.csv(unique(do.call(rbind, errors)), "agreement_kappa.csv", row.names = FALSE, quote = FALSE)
