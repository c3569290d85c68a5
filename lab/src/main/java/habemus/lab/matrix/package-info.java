/** The survival matrix: the model checker's verdict for each algorithm, network, timing and fault. */
@NullMarked
package habemus.lab.matrix;

import org.jspecify.annotations.NullMarked;
