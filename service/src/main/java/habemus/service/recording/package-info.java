/**
 * Recordings of the nodes of the lock service. A node records every event of its machines and what the machines
 * answered. The validator re-executes the steps with the pure machines, merges the nodes, and monitors the properties.
 */
@NullMarked
package habemus.service.recording;

import org.jspecify.annotations.NullMarked;
