# Intervals of a binomial share by four independent programs. Writes binomial_limits.csv.
# Run in this folder: Rscript binomial_make.R       Made with R 4.2.2, Hmisc 4.8-0, epiR 2.0.57.
#
# Left out because the program itself is wrong there:
#   Hmisc exact above n = 1e5 (qf switches to a chi-square limit), Hmisc wilson at x = 1 and x = n - 1 (it puts a
#   Poisson bound in place of one limit).
suppressPackageStartupMessages({library(Hmisc); library(epiR)})

cases <- do.call(rbind, lapply(c(1, 2, 5, 10, 37, 131, 1000, 1e6), function(n) {
  x <- unique(round(c(0, 1, 0.03 * n, 0.3 * n, n / 2, 77 / 131 * n, n - 1, n)))
  data.frame(x = x[x >= 0 & x <= n], n = n)
}))
levels <- c(0.8, 0.9, 0.95, 0.99, 0.999999)

rows <- list()
add <- function(method, source, x, n, level, limits) {
  rows[[length(rows) + 1]] <<- data.frame(method, source, success = x, failure = n - x, level,
    low = sprintf("%.17g", limits[1]), high = sprintf("%.17g", limits[2]))
}
epi <- function(x, n, level, method) {
  limits <- epi.conf(cbind(x, n), ctype = "prevalence", method = method, N = 1e9, design = 1, conf.level = level)
  as.numeric(limits[c("lower", "upper")])
}
for (level in levels) for (k in seq_len(nrow(cases))) {
  x <- cases$x[k]; n <- cases$n[k]; tail <- (1 - level) / 2
  add("clopper_pearson", "binom.test", x, n, level, binom.test(x, n, conf.level = level)$conf.int)
  if (n < 1e5) add("clopper_pearson", "Hmisc", x, n, level, binconf(x, n, alpha = 1 - level, method = "exact")[2:3])
  add("wilson", "prop.test", x, n, level,
      suppressWarnings(prop.test(x, n, conf.level = level, correct = FALSE))$conf.int)
  if (x != 1 && x != n - 1)
    add("wilson", "Hmisc", x, n, level, binconf(x, n, alpha = 1 - level, method = "wilson")[2:3])
  add("wilson", "epiR", x, n, level, epi(x, n, level, "wilson"))
  add("agresti_coull", "epiR", x, n, level, epi(x, n, level, "agresti"))
  for (prior in c(0.5, 1)) add(paste0("beta_", prior), "qbeta", x, n, level,
      c(qbeta(tail, x + prior, n - x + prior), qbeta(tail, x + prior, n - x + prior, lower.tail = FALSE)))
}
write.csv(do.call(rbind, rows), "binomial_limits.csv", row.names = FALSE, quote = FALSE)
