/**
 * The contract between algorithms and their runtimes. A {@link habemus.protocol.Protocol} is a pure function from a
 * state and an event to a step. The interfaces that it implements say what it solves and what it needs. A runtime is
 * the simulator, the model checker or a real node: it delivers the events and carries out the effects.
 */
@NullMarked
package habemus.protocol;

import org.jspecify.annotations.NullMarked;
