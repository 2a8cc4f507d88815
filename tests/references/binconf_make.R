# Intervals of a share by Hmisc's binconf: Wilson, exact and asymptotic. Writes binconf_limits.csv.
# Run in this folder: Rscript binconf_make.R       Made with R 4.2.2, Hmisc 4.8-0.
# Wilson at 1 and n - 1 successes is left out: there binconf puts a Poisson bound in place of one limit.
suppressPackageStartupMessages(library(Hmisc))

rows <- list()
for (n in c(1, 4, 20, 131, 5000)) for (x in unique(round(c(0, 1, 0.1, 0.5, 0.8, 1) * c(1, 1, n, n, n, n))))
  for (level in c(0.8, 0.95, 0.999)) for (method in c("wilson", "exact", "asymptotic")) {
    if (x > n || (method == "wilson" && (x == 1 || x == n - 1))) next
    found <- binconf(x, n, alpha = 1 - level, method = method)
    rows[[length(rows) + 1]] <- data.frame(method, success = x, failure = n - x, level,
      low = sprintf("%.15g", found[2]), high = sprintf("%.15g", found[3]))
  }
write.csv(do.call(rbind, rows), "binconf_limits.csv", row.names = FALSE, quote = FALSE)
