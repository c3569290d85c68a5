/**
 * Drives every product in the same way: its nodes as processes, its clients as threads, kills, and measurements.
 */
@NullMarked
package habemus.bench.product;

import org.jspecify.annotations.NullMarked;
