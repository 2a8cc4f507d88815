# Each of four models against the best of the others (Hsu 1984; Edwards & Hsu 1983 for unequal variances), with the
# one-sided critical values of mvtnorm (Miwa's algorithm: nothing random). Reads compare_models.csv, writes
# best_limits.csv. Run in this folder: Rscript best_make.R       Made with R 4.2.2, mvtnorm 1.1-3.
library(mvtnorm)
data <- read.csv("compare_models.csv")
models <- setdiff(names(data), "truth")
n <- nrow(data)
digits <- function(x) sprintf("%.15g", x)

influence <- list(
  accuracy = function(guess) {
    right <- as.numeric(guess == data$truth)
    list(value = mean(right), phi = right - mean(right))
  },
  f1 = function(guess) {
    both <- guess + data$truth
    f1 <- 2 * sum(guess * data$truth) / sum(both)
    list(value = f1, phi = (2 * guess * data$truth - f1 * both) / mean(both))
  })

quantile_of_largest <- function(covariance, level) {
  inside <- function(q) pmvnorm(upper = rep(q, 3), corr = cov2cor(covariance), algorithm = Miwa(steps = 1024)) - level
  uniroot(inside, c(0, 8), tol = 1e-10)$root
}

rows <- list()
for (metric in names(influence)) for (level in c(0.8, 0.95, 0.9999)) {
  parts <- lapply(models, function(model) influence[[metric]](data[[model]]))
  value <- setNames(sapply(parts, `[[`, "value"), models)
  covariance <- crossprod(sapply(parts, `[[`, "phi")) / n^2
  upper <- matrix(Inf, 4, 4); critical <- numeric(4)
  for (i in 1:4) {
    contrast <- -diag(4)[-i, ]; contrast[, i] <- 1
    spread <- contrast %*% covariance %*% t(contrast)
    critical[i] <- quantile_of_largest(spread, level)
    upper[i, -i] <- as.numeric(contrast %*% value) + critical[i] * sqrt(diag(spread))
  }
  high <- pmax(0, apply(upper, 1, min))
  low <- sapply(1:4, function(i) min(0, -upper[setdiff(which(high > 0), i), i]))
  rows[[length(rows) + 1]] <- data.frame(
    metric, level, model = models, value = digits(value), critical = digits(critical), low = digits(low),
    high = digits(high))
}
write.csv(do.call(rbind, rows), "best_limits.csv", row.names = FALSE, quote = FALSE)
