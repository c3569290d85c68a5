/**
 * The whole lock service in virtual time on one thread: the real nodes and clients on simulated loops, disks and
 * connections, under faults that a seed draws. Equal seeds give equal runs, byte for byte.
 */
@NullMarked
package habemus.harness.simulation;

import org.jspecify.annotations.NullMarked;
