/** What every algorithm survives, as the checker finds it: algorithms, networks and faults, cell by cell. */
@NullMarked
package habemus.lab.matrix;

import org.jspecify.annotations.NullMarked;
