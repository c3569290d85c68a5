/** Algorithms side by side: what each costs, beside what theory says. */
@NullMarked
package habemus.lab.compare;

import org.jspecify.annotations.NullMarked;
