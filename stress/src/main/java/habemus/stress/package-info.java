/** Threads under JMH, jcstress, Lincheck and JOL. The command line starts it as a process and reads its JSON. */
@NullMarked
package habemus.stress;

import org.jspecify.annotations.NullMarked;
