/** What algorithms really cost, measured in simulated worlds where every message takes one unit of time. */
@NullMarked
package habemus.measure;

import org.jspecify.annotations.NullMarked;
