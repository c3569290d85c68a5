/** Parses what to run: algorithm, world, faults, workload; and prints it back as a command line. */
@NullMarked
package habemus.lab.experiment;

import org.jspecify.annotations.NullMarked;
