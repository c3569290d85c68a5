/** Benchmarks beside other tools. Compares the model checker with TLC on the same states. */
@NullMarked
package habemus.bench;

import org.jspecify.annotations.NullMarked;
