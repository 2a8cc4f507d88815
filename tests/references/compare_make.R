# Differences of accuracy and F1 between four models on the same rows, by R's own tools.
# Run in this folder: Rscript compare_make.R
# Reads compare_models.csv, writes compare_pairs.csv (simultaneous and Holm-adjusted, all pairs and against "a")
# and compare_mcnemar.csv. R 4.2, multcomp 1.4-22, mvtnorm 1.1-3.
suppressMessages(library(multcomp))
data <- read.csv("compare_models.csv")
models <- setdiff(names(data), "truth")
n <- nrow(data)
absolute <- 1e-6

influence <- function(metric, prediction) {
  if (metric == "accuracy") {
    right <- as.numeric(prediction == data$truth)
    return(list(value = mean(right), phi = right - mean(right)))
  }
  tp <- prediction * data$truth
  f1 <- 2 * sum(tp) / sum(prediction + data$truth)
  list(value = f1, phi = (2 * tp - f1 * (prediction + data$truth)) / mean(prediction + data$truth))
}

rows <- list()
for (metric in c("accuracy", "f1")) {
  parts <- lapply(models, function(model) influence(metric, data[[model]]))
  value <- setNames(sapply(parts, function(part) part$value), models)
  phi <- sapply(parts, function(part) part$phi)
  covariance <- crossprod(phi) / n^2
  dimnames(covariance) <- list(models, models)
  for (type in c("Tukey", "Dunnett")) {
    contrast <- contrMat(setNames(rep(n, length(models)), models), type = type)
    fit <- glht(parm(coef = value, vcov = covariance), linfct = contrast)
    set.seed(1)
    adjusted <- summary(fit, test = adjusted("single-step", abseps = absolute, maxpts = 5e6))
    holm <- summary(fit, test = adjusted("holm"))
    interval <- confint(fit)$confint  # its quantile is good to about 1e-3
    names <- strsplit(rownames(contrast), " - ")
    rows[[length(rows) + 1]] <- data.frame(
      metric = metric, type = type, b = sapply(names, `[`, 1), a = sapply(names, `[`, 2),
      difference = interval[, "Estimate"], low = interval[, "lwr"], high = interval[, "upr"],
      se = adjusted$test$sigma, joint = as.numeric(adjusted$test$pvalues), holm = as.numeric(holm$test$pvalues)
    )
  }
}
write.csv(do.call(rbind, rows), "compare_pairs.csv", row.names = FALSE, quote = FALSE)

mcnemar <- list()
for (i in 1:3) for (j in (i + 1):4) {
  right_a <- data[[models[i]]] == data$truth
  right_b <- data[[models[j]]] == data$truth
  only_a <- sum(right_a & !right_b); only_b <- sum(right_b & !right_a)
  mcnemar[[length(mcnemar) + 1]] <- data.frame(
    a = models[i], b = models[j], only_a = only_a, only_b = only_b,
    exact = binom.test(only_b, only_a + only_b)$p.value,
    score = mcnemar.test(table(right_a, right_b), correct = FALSE)$p.value
  )
}
write.csv(do.call(rbind, mcnemar), "compare_mcnemar.csv", row.names = FALSE, quote = FALSE)
