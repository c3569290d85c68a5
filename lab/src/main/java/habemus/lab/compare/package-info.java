/** Compares the measured costs of the algorithms with their theoretical costs. */
@NullMarked
package habemus.lab.compare;

import org.jspecify.annotations.NullMarked;
