"""What tagged sequences refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# sources/sequences/conll
NO_TOKENS_ONE_TOKEN_LINE = Sentence("{text} has no tokens; it must have one token a line, with its tags in columns.")
LINE_LOOKS_LIKE_HEADER = Sentence(
    "{text}, line {line} looks like a header ({lines!r}); a header is read only where columns are named. Name them "
    "with {setting:gold={gold!r}} and {predictions}, or take the line out."
)
GOLD_AND_PREDICTION_ARE_BOTH_COLUMN = Sentence(
    "{arg:gold} and a prediction are both column {tags} of {place}; a tagger must have a column of its own"
)
PREDICTIONS_HAS_NAMES = Sentence("{arg:predictions} has the names {names}; each must be there once.")
PREDICTIONS_NAMES_FIRST_COLUMN = Sentence(
    "{arg:predictions} names the first column of {place}, so that no column stands before it; name the gold column "
    "with {setting:gold=}"
)
PREDICTIONS_IS_EMPTY = Sentence("{arg:predictions} is empty; it must name at least one column of predicted tags.")
COLUMN_FIELDS_COLUMNS_ARE_NUMBERED_0 = Sentence(
    "{arg:{argument}} is column {column}, but {place} has {width} fields; columns are numbered 0 to {other_width}, "
    "or -1 to {third_width} from the end."
)
LINE_FIELDS_WHERE_FIRST_LINE = Sentence(
    "{text}, line {number} has {number_of_fields} fields where the first line of columns has {width}; every token "
    "must have the same columns. The line: {lines!r}."
)
NOT_UTF_8_CONVERT_TO_UTF_8_FIRST = Sentence("{arg:{name}} is not UTF-8 ({reason}); convert it to UTF-8 first.")
COLUMN_TIMES_ONCE = Sentence(
    "{arg:{argument}} is the column {column!r}, which {place} has {other_column} times; it must be there once. The "
    "columns are {fields}.{hint}"
)
LINE_SENTENCE_COMES_BACK_AFTER_OTHERS = Sentence(
    "{text}, line {line}: sentence {sentence!r} comes back after others; the tokens of a sentence must stand "
    "together. Sort the file, or give each sentence its own value."
)
LINE_GROUP_AT_START_OF_SENTENCE = Sentence(
    "{text}, line {line}: group is {group!r} but {other_group!r} at the start of its sentence (line {other_line}); "
    "a sentence must lie in one group."
)

# sources/sequences/schemes
TAG_IS_MALFORMED = Sentence(
    "{column}, sentence {sentence}, token {token} (counted from 0): the tag {found!r} is malformed; for the chunk "
    "of length {end} read there {scheme} writes {wanted!r}. Correct the tags, name the right scheme, or choose "
    "{setting:malformed='conlleval'} (repair) or 'strict' (drop)."
)
NOT_A_TAG_OF_SCHEME = Sentence(
    "{column}, sentence {sentence}, token {token} (counted from 0): {tag!r} is not a tag of {scheme}; a tag is one "
    "of the letters {letters}, alone or before '-' and a type, or one of the outside tags {outside}. {remedy}, or "
    "list it in {setting:outside=}."
)
ONE_OF_SCHEMES = Sentence("it must be one of {known} or {auto!r}.{hint}")
TAGS_WITH_LETTERS_BESIDE_OUTSIDE_TAGS = Sentence(
    "{arg:{column}} has tags with the letters {seen} beside the outside tags {outside}; no scheme has them all "
    "({known}). Correct the tags, or list further outside tags in {setting:outside=}."
)
LIST_OF_SENTENCES_EACH_LIST = Sentence("it must be a list of sentences, each a list of tags.")
OUTSIDE_IS_EMPTY = Sentence("{arg:outside} is empty; it must name at least one tag of tokens in no chunk, such as 'O'.")
ONE_OF_MALFORMED = Sentence("it must be one of {malformed}.")
HOLDS_WHERE_SENTENCE_BELONGS = Sentence(
    "{arg:{column}} holds {sentence!r} where a sentence belongs; it must be a list of sentences, each a list of "
    "tags. One sentence alone: wrap it in a list."
)
NESTED_TOO_DEEP = Sentence("{arg:{column}} is nested too deep; it must be a list of sentences, each a list of tags.")
NAME_RIGHT_SCHEME = Sentence("Name the right scheme ({letter!r} is in {fitting})")
CORRECT_THE_TAG = Sentence("Correct the tag")

# sources/sequences/spans
GROUPS_ENTRIES_BUT_SENTENCES = Sentence(
    "groups has {number} entries but there are {size} sentences; give one group per sentence"
)
MARK_BETWEEN_LETTER_AND_TYPE = Sentence("it must be the mark between letter and type, such as '-'")

# sources/sequences/taggers
SOURCE_SENTENCES_FILES_OF_TWO_TAGGERS = Sentence(
    "{arg:source}: {path!r} has {number} sentences but {other_path!r} has {number_of_second}; the files of two "
    "taggers must hold the same sentences in the same order"
)
SOURCE_SENTENCE_COUNTED_FROM_1 = Sentence(
    "{arg:source}: sentence {place} (counted from 1) of {path!r} and {other_path!r} differs: {how}; {number} of "
    "{number_of_gold} sentences do. Taggers are paired by sentence: {remedy}"
)

# sources/sequences/tags
HOLDS_NO_SENTENCES = Sentence("{arg:{gold}} holds no sentences; give at least one, a list of tags.")
PREDICTIONS_NAME_NO_MODEL = Sentence(
    "{arg:predictions} is empty; it must map at least one model's name to its tag sequences."
)
PREDICTIONS_HAS_MODEL_NAMED_UNDER_SCHEME = Sentence(
    "{arg:predictions} has a model named {gold!r}, under which scheme has the gold tags; rename it."
)
SCHEME_HAS_KEYS = Sentence(
    "{arg:scheme} has the keys {scheme}; it must have one for each of {columns}: missing {missing}, unknown {unknown}."
)
SENTENCES_BUT_MODEL = Sentence(
    "{arg:{gold}} has {size} sentences but model {column!r} has {other_size}; they must describe the same "
    "sentences in the same order."
)
SENTENCE_LENGTHS_DIFFER = Sentence(
    "sentence {sentence} (counted from 0) has {lengths} tags in {gold} but {other_lengths} in model {column!r}; "
    "each token must have one tag in every column. Sentences that differ: {size}."
)
PREDICTIONS_FOR_MODEL = Sentence(
    "{arg:predictions} has {sequences!r} for the model {model!r}; it must be a list of sentences, each a list of tags."
)
