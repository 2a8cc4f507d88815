# Meta-analyses by metafor: a common value, random effects with the method of Paule and Mandel and Hartung and Knapp's
# test, means with weights of one's own, heterogeneity. Writes metafor_studies.csv and metafor_pooled.csv.
# Run in this folder: Rscript metafor_make.R       Made with R 4.2.2, metafor 3.8-1.
suppressMessages(library(metafor))
digits <- function(x) sprintf("%.15g", x)
set.seed(20)

studies <- list()
pooled <- list()
for (case in 1:8) {
  k <- c(3, 4, 5, 6, 8, 12, 14, 20)[case]
  n <- round(exp(runif(k, log(40), log(900))))
  share <- plogis(rnorm(k, c(1, 1.5, 0.5, 2)[1 + case %% 4], c(0.8, 0.5, 0.3, 0.6)[1 + case %% 4]))
  right <- pmin(pmax(rbinom(k, n, share), 2), n - 2)
  yi <- right / n
  vi <- yi * (1 - yi) / (n - 1)
  if (case == 3) {               # all studies of one size and variance: Hartung and Knapp's is then Student's t
    n <- rep(100, k); right <- c(50, 60, 40, 55, 45); yi <- right / n; vi <- rep(0.0025, k)
  }
  studies[[case]] <- data.frame(case = case, study = seq_len(k), right = right, n = n,
                                yi = digits(yi), vi = digits(vi))
  common <- rma(yi, vi, method = "EE")
  random <- rma(yi, vi, method = "PM", test = "knha", control = list(tol = 1e-14, maxiter = 1000))
  equal <- rma(yi, vi, method = "EE", weights = rep(1 / k, k))
  student <- t.test(yi)
  size <- rma(yi, vi, method = "EE", weights = n / sum(n))
  row <- function(model, mean, se, low, high) data.frame(
    case = case, model = model, mean = digits(mean), se = digits(se), low = digits(low), high = digits(high),
    tau2 = digits(random$tau2), q = digits(common$QE), p = digits(common$QEp), i2 = digits(random$I2 / 100))
  line <- function(model, fit) row(model, as.numeric(fit$beta), fit$se, fit$ci.lb, fit$ci.ub)
  pooled[[case]] <- rbind(line("common", common), line("random", random), line("equal", equal), line("size", size),
                          row("student", unname(student$estimate), student$stderr, student$conf.int[1],
                              student$conf.int[2]))
}
write.csv(do.call(rbind, studies), "metafor_studies.csv", row.names = FALSE, quote = FALSE)
write.csv(do.call(rbind, pooled), "metafor_pooled.csv", row.names = FALSE, quote = FALSE)
