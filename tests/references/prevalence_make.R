# A rate corrected for estimated sensitivity and specificity: the limits of Lang & Reiczigel (2014), slopes by differences.
# Writes prevalence_limits.csv.
# Run in this folder: Rscript prevalence_make.R      Made with R 4.2.2, no packages.
lr <- function(k, n, ks, ns, kp, np, level) {
  z <- qnorm((1 + level) / 2)
  P <- (k + z^2 / 2) / (n + z^2); Se <- (ks + 1) / (ns + 2); Sp <- (kp + 1) / (np + 2)
  f <- function(v) (v[1] + v[3] - 1) / (v[2] + v[3] - 1)
  v <- c(P, Se, Sp); s <- c(P * (1 - P) / (n + z^2), Se * (1 - Se) / (ns + 2), Sp * (1 - Sp) / (np + 2))
  g <- sapply(1:3, function(i) { h <- 1e-6; up <- v; up[i] <- up[i] + h; dn <- v; dn[i] <- dn[i] - h; (f(up) - f(dn)) / (2 * h) })
  t <- f(v); m <- t + 2 * z^2 * (t * s[2] - (1 - t) * s[3]); half <- z * sqrt(sum(g^2 * s))
  pmin(1, pmax(0, c(m - half, m + half)))
}

# Reiczigel et al. (2010), table 2, has the second and third data set; the others are ours.
asked <- list(c(620, 1000, 72, 80, 51, 60, .95), c(2, 78, 50, 100, 199, 200, .95), c(27, 650, 50, 100, 199, 200, .9),
              c(130, 200, 95, 100, 80, 100, .99), c(0, 50, 9, 10, 10, 10, .95), c(50, 50, 10, 10, 9, 10, .95))
rows <- lapply(asked, function(a) { f <- do.call(lr, as.list(a)); data.frame(t(a), low = sprintf("%.12f", f[1]), high = sprintf("%.12f", f[2])) })
made <- do.call(rbind, rows)
names(made)[1:7] <- c("judged", "n", "found", "positives", "right", "negatives", "level")
write.csv(made, "prevalence_limits.csv", row.names = FALSE, quote = FALSE)
