/** Benchmarks: how fast the laboratory itself is, as {@code habemus bench} measures it. */
@NullMarked
package habemus.lab.bench;

import org.jspecify.annotations.NullMarked;
