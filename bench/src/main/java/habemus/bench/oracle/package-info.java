/** Compares the Raft machine with the specification that the authors of Raft published, in the same small worlds. */
@NullMarked
package habemus.bench.oracle;

import org.jspecify.annotations.NullMarked;
