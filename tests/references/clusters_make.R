# Cluster-robust errors of a mean by clubSandwich: CR2 of Bell & McCaffrey (2002) and Satterthwaite's degrees of freedom.
# The mean is that of what each row adds to a metric (its influence), so that any metric is a mean; rows are those of
# design_rows.csv, and a second set has groups of equal size. Weights are those of groups, that of the first row of each,
# and taken as inverse variances. (Where they differ within a group there are several matrix roots that make CR2
# unbiased; clubSandwich takes another one than Bell & McCaffrey's sum of squares, and differs by 0.4 % here.)
# Writes clusters_errors.csv.
# Run in this folder, after design_make.R: Rscript clusters_make.R       Made with R 4.2.2, clubSandwich 0.5.8.
suppressPackageStartupMessages(library(clubSandwich))

rows <- read.csv("design_rows.csv")
equal <- rows[ave(seq_len(nrow(rows)), rows$group, FUN = seq_along) <= 4, ]
equal <- equal[ave(seq_len(nrow(equal)), equal$group, FUN = length) == 4, ]

influence <- function(metric, truth, guess, weight) {
  share <- weight / sum(weight)
  if (metric == "accuracy") return((truth == guess) - sum(share * (truth == guess)))
  both <- (truth == "b") + (guess == "b"); hit <- 2 * (truth == "b" & guess == "b")
  (hit - sum(share * hit) / sum(share * both) * both) / sum(share * both)
}

sets <- list(unequal = rows, equal = equal)
found <- do.call(rbind, lapply(names(sets), function(set) {
  data <- sets[[set]]
  do.call(rbind, lapply(c(FALSE, TRUE), function(weighted) {
    weight <- if (weighted) ave(data$weight, data$group, FUN = function(w) w[1]) else rep(1, nrow(data))
    do.call(rbind, lapply(c("accuracy", "f1[b]"), function(metric) {
      data$moved <- influence(metric, data$truth, data$a, weight); data$w <- weight
      fit <- lm(moved ~ 1, data = data, weights = w)
      robust <- vcovCR(fit, cluster = data$group, type = "CR2", target = 1 / weight, inverse_var = FALSE)
      test <- coef_test(fit, vcov = robust, test = "Satterthwaite")
      data.frame(set, weighted = as.integer(weighted), metric, se = sprintf("%.15g", test$SE),
                 degrees = sprintf("%.15g", test$df_Satt))
    }))
  }))
}))
write.csv(found, "clusters_errors.csv", row.names = FALSE, quote = FALSE)
