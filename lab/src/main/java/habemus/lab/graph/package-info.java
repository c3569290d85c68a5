/** Graphs to run on: drawn by a seed, or read edge by edge; and the parts that they fall into. */
@NullMarked
package habemus.lab.graph;

import org.jspecify.annotations.NullMarked;
