/** Failure detectors, one per file, and the composition of an election with a detector. */
@NullMarked
package habemus.detector;

import org.jspecify.annotations.NullMarked;
