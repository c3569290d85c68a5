/** Records the steps of real nodes, merges them into one run, and re-executes them. */
@NullMarked
package habemus.service.trace;

import org.jspecify.annotations.NullMarked;
