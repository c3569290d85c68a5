/** What an algorithm does, read from its page of the documentation. */
@NullMarked
package habemus.lab.explain;

import org.jspecify.annotations.NullMarked;
