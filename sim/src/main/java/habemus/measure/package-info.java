/** Measures the costs of algorithms in simulations with unit message delays, for comparison with theory. */
@NullMarked
package habemus.measure;

import org.jspecify.annotations.NullMarked;
