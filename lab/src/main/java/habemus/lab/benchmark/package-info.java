/** Measures the laboratory itself: simulator, checker, elections among many nodes. */
@NullMarked
package habemus.lab.benchmark;

import org.jspecify.annotations.NullMarked;
