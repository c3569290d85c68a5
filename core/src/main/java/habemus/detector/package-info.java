/** Who of us is down: failure detectors, one a file, and how one is laid beneath an election. */
@NullMarked
package habemus.detector;

import org.jspecify.annotations.NullMarked;
