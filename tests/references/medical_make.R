# Diagnostic accuracy by epiR's epi.tests: shares by its five methods, likelihood ratios and odds ratio on the log
# scale. Writes medical_tests.csv. Run in this folder: Rscript medical_make.R       Made with R 4.2.2, epiR 2.0.57.
suppressPackageStartupMessages(library(epiR))

tables <- list(c(77, 44, 10, 702), c(8, 3, 2, 11), c(670, 202, 74, 640))
kept <- c("ap", "tp", "se", "sp", "diag.ac", "diag.or", "youden", "pv.pos", "pv.neg", "lr.pos", "lr.neg", "p.tpdn",
          "p.tndp", "p.dntp", "p.dptn")
rows <- list()
for (cells in tables) for (method in c("exact", "wilson", "agresti", "clopper-pearson", "jeffreys"))
  for (level in c(0.8, 0.95)) {
    found <- epi.tests(as.table(matrix(cells, 2, byrow = TRUE)), method = method, conf.level = level)$detail
    found <- found[found$statistic %in% kept, ]
    rows[[length(rows) + 1]] <- data.frame(
      tp = cells[1], fp = cells[2], fn = cells[3], tn = cells[4], method, level, statistic = found$statistic,
      value = sprintf("%.15g", found$est), low = sprintf("%.15g", found$lower), high = sprintf("%.15g", found$upper))
  }
write.csv(do.call(rbind, rows), "medical_tests.csv", row.names = FALSE, quote = FALSE)
