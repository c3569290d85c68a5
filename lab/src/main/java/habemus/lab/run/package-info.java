/** Runs of experiments: their summary, their JSON, and scenarios with recorded output. */
@NullMarked
package habemus.lab.run;

import org.jspecify.annotations.NullMarked;
