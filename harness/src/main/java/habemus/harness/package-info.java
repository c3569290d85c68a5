/** Real clusters of child processes: faults, histories, soaks and benchmarks. Knows nothing of the command line. */
@NullMarked
package habemus.harness;

import org.jspecify.annotations.NullMarked;
