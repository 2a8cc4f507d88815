# Two-sided simultaneous critical values by mvtnorm, with its defaults and several seeds.
# Writes critical_qmvnorm.csv. Run in this folder: Rscript critical_make.R
library(mvtnorm)

matrices <- list(
  compound = function(d) { r <- matrix(0.5, d, d); diag(r) <- 1; r },
  serial = function(d) 0.8^abs(outer(1:d, 1:d, "-")),
  factor = function(d) { l <- (-1)^(1:d) * (0.3 + 0.6 * (1:d) / d); r <- outer(l, l); diag(r) <- 1; r },
  contrasts = function(d) {           # all differences of k independent coordinates: rank k - 1
    k <- (1 + sqrt(1 + 8 * d)) / 2
    if (k != round(k)) return(NULL)
    pairs <- combn(k, 2); m <- matrix(0, d, k)
    m[cbind(1:d, pairs[1, ])] <- 1; m[cbind(1:d, pairs[2, ])] <- -1
    m %*% t(m) / 2
  }
)

rows <- list()
for (name in names(matrices)) for (d in c(2, 3, 6, 12, 30)) {
  r <- matrices[[name]](d)
  if (is.null(r)) next
  for (seed in 1:(if (d == 30) 5 else 10)) {
    set.seed(seed)
    q <- qmvnorm(0.95, tail = "both.tails", corr = r)$quantile
    rows[[length(rows) + 1]] <- data.frame(matrix = name, dimension = d, level = 0.95, seed = seed,
                                           quantile = sprintf("%.9f", q))
  }
}
write.csv(do.call(rbind, rows), "critical_qmvnorm.csv", row.names = FALSE, quote = FALSE)
cat("mvtnorm", as.character(packageVersion("mvtnorm")), R.version.string, "\n")
