/**
 * A name that Bridle never sets and that no spec may: a reference to it gives its default value on every harness, which
 * is how a text with a reference in it is written down (`${BRIDLE_U:-$}{HOME}`). One for all targets, so that a file that
 * several harnesses read has one text for them.
 */
export const unsetName = 'BRIDLE_U'
