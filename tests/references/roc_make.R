# AUC, DeLong's variance, covariance, z and p, partial AUC by pROC; the calibration line by glm.
# Writes roc_rows.csv (truth and three scores of five sets, with ties), roc_areas.csv (one score), roc_pairs.csv (two).
# Run in this folder: Rscript roc_make.R       Made with R 4.2.2, pROC 1.18.0.
suppressPackageStartupMessages(library(pROC))
digits <- function(x) sprintf("%.15g", x)
set.seed(20)

sets <- list(c(n = 40, share = 0.5, move = 1), c(n = 60, share = 0.3, move = 1.5), c(n = 120, share = 0.15, move = 2),
             c(n = 200, share = 0.4, move = 0.6), c(n = 30, share = 0.4, move = 2.5))
rows <- areas <- pairs <- NULL
for (k in seq_along(sets)) {
  s <- sets[[k]]
  y <- as.integer(seq_len(s["n"]) <= s["n"] * s["share"])
  latent <- rnorm(s["n"])
  a <- plogis(-0.4 + 0.8 * latent + 0.6 * rnorm(s["n"]) + s["move"] * y)
  b <- round(plogis(-0.2 + 0.8 * latent + 0.6 * rnorm(s["n"]) + 0.6 * s["move"] * y), 1)
  b <- pmin(pmax(b, 0.05), 0.95)
  c <- round(1 - a, 2)
  scores <- data.frame(a = signif(a, 6), b = b, c = c)
  rows <- rbind(rows, data.frame(set = k, truth = y, scores))
  curves <- lapply(scores, function(x) roc(y, x, direction = "<", levels = c(0, 1), quiet = TRUE))
  for (name in names(scores)) {
    r <- curves[[name]]
    part <- function(...) as.numeric(auc(r, ...))
    fit <- if (name == "c") c(NA, NA) else coef(glm(y ~ qlogis(scores[[name]]), family = binomial,
                                                    control = list(epsilon = 1e-14, maxit = 100)))
    areas <- rbind(areas, data.frame(
      set = k, score = name, auc = digits(auc(r)), variance = digits(var(r, method = "delong")),
      fpr01 = digits(part(partial.auc = c(1, 0.9))), fpr03 = digits(part(partial.auc = c(1, 0.7))),
      range = digits(part(partial.auc = c(0.9, 0.6))),
      tpr08 = digits(part(partial.auc = c(1, 0.8), partial.auc.focus = "sens")),
      intercept = digits(fit[1]), slope = digits(fit[2])
    ))
  }
  for (two in list(c("a", "b"), c("a", "c"), c("b", "c"))) {
    first <- curves[[two[1]]]; second <- curves[[two[2]]]
    test <- roc.test(first, second, method = "delong", paired = TRUE)
    pairs <- rbind(pairs, data.frame(
      set = k, first = two[1], second = two[2], covariance = digits(cov(first, second, method = "delong")),
      z = digits(unname(test$statistic)), p = digits(test$p.value)
    ))
  }
}
write.csv(rows, "roc_rows.csv", row.names = FALSE, quote = FALSE)
write.csv(areas, "roc_areas.csv", row.names = FALSE, quote = FALSE)
write.csv(pairs, "roc_pairs.csv", row.names = FALSE, quote = FALSE)
