/**
 * The environment of a run, as data: topology, network and latency model, failure detector, faults and workload. Also
 * the properties that every algorithm is checked against, and the monitors that evaluate them.
 */
@NullMarked
package habemus.world;

import org.jspecify.annotations.NullMarked;
