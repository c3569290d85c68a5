/** Measures simulator, model checker and elections of many nodes, as {@code habemus bench} prints them. */
@NullMarked
package habemus.lab.benchmark;

import org.jspecify.annotations.NullMarked;
