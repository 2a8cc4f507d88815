"""What mathematics refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# numerics/critical
SQUARE_MATRIX_OF_NUMBERS_ROW = Sentence("it must be a square matrix of numbers, a row for each estimate")
POSITIVE_ERROR_SUCH_AS_1E_4 = Sentence("it must be a positive error, such as 1e-4, or None")
CORRELATION_HAS_SHAPE = Sentence(
    "{arg:correlation} has shape {shape}; it must be square: one row and column per estimate"
)
CORRELATION_BUT_ONE_OF_TWO = Sentence(
    "correlation[{row}, {column}] is {matrix:g} but one of the two has variance 0 on the diagonal; what never "
    "moves has no correlation: put 0 or nan there"
)
CORRELATION_EVERY_ENTRY_MUST_BE_NUMBER = Sentence(
    "correlation[{row}, {column}] is {whole}; every entry must be a number: put 0 on the diagonal of an estimate "
    "that cannot move"
)
CORRELATION_HAS_EIGENVALUE = Sentence(
    "{arg:correlation} has the eigenvalue {values:.3g}; it must be positive semi-definite: compute all entries "
    "from the same rows, or take the nearest correlation matrix"
)
CORRELATION_SYMMETRIC_MATRIX_WITH_ONES = Sentence(
    "{arg:correlation} has {name} by {most:.3g}; it must be a symmetric matrix with ones on the diagonal: divide a "
    "covariance by the standard errors of its row and column"
)
BOTH_LARGEST_Z = Sentence("it must be 'both' (largest |Z|), 'upper' (largest Z) or 'lower' (smallest Z)")
NUMBER_OR_NUMBERS_WITHOUT_NAN = Sentence("it must be a number or numbers without nan: leave undefined statistics out")

# numerics/dirichlet
DRAWS_AND_DIGITS = Sentence("10000 draws give two to three digits")
ARRAY_OF_FINITE_NUMBERS = Sentence("it must be an array of finite numbers of at least 0; check the table.")
PRIOR_HAS_SHAPE_BUT_COUNTS = Sentence(
    "{arg:prior} has shape {shape} but counts has shape {other_shape}; give one number for all cells, or one for each."
)
ABOVE_0_IN_EVERY_CELL = Sentence("it must be above 0 in every cell; 1/2 is Jeffreys' choice.")

# numerics/parallel
NONE_BAR_OR_FUNCTION = Sentence("it must be None, 'bar' or a function of (done, everything)")
JOBS_ARE_SET = Sentence("jobs = {jobs}")
WHOLE_NUMBER_OTHER_THAN_ZERO = Sentence(
    "it must be a whole number other than zero: 1 works in this process, -1 on every core"
)

# numerics/sampled_posterior
COUNTS_HAS_SHAPE = Sentence(
    "counts has shape {shape}; it must be K x K x K: [truth, prediction of A, prediction of B]."
)
DRAWS_VALUES_OF_THEM_NOT_FINITE = Sentence(
    "{arg:draws} has {number} values, {bad} of them not finite; at least two are needed and all must be finite; a "
    "metric that is 0/0 for some draws has no posterior here: use a larger prior."
)
EQUAL_OR_HDI = Sentence("it must be 'equal' or 'hdi'; equal tails are the default.")

# numerics/share_difference
LIE_BETWEEN_1_AND_1 = Sentence("it must lie between -1 and 1; 0 asks which is greater.")
AT_LEAST_0_AND_BELOW_1 = Sentence("it must be at least 0 and below 1; 0.01 means one point of the metric.")

# numerics/share_posterior
FINITE_NUMBER_ABOVE_0 = Sentence("it must be a finite number above 0; add a prior to the counts.")

# numerics/tversky
A_AND_B_MUST_BE_WEIGHTS = Sentence(
    "a and b must be weights of at least 0, not both 0, but a is {a} and b is {b}; precision is a=1, b=0 and "
    "F-beta is a=1/(1+beta^2), b=beta^2/(1+beta^2)"
)
