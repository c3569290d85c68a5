/** Random faults for real processes and networks. */
@NullMarked
package habemus.harness.faults;

import org.jspecify.annotations.NullMarked;
