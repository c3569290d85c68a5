/** Measures the replicated log alone, of this build and of another one in turn. */
@NullMarked
package habemus.bench.log;

import org.jspecify.annotations.NullMarked;
