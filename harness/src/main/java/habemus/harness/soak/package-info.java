/** Long runs of real clusters under random faults. */
@NullMarked
package habemus.harness.soak;

import org.jspecify.annotations.NullMarked;
