/** Benchmarks of real clusters over the network. */
@NullMarked
package habemus.harness.bench;

import org.jspecify.annotations.NullMarked;
