package habemus.service.recording;

import habemus.protocol.NodeId;

/**
 * The first step of a node that the pure machines do not take, or that contradicts its disk or the other nodes.
 *
 * @param start which start of the node, from 1 on
 * @param step number of the step in the recording of this start, from 1 on
 * @param event what the node handled
 * @param expected what the machine answers; empty if the event itself is wrong
 * @param recorded what the node recorded
 */
public record StepDifference(NodeId node, int start, long step, String event, String expected, String recorded) {

    @Override
    public String toString() {
        return node + ", start " + start + ", step " + step + ": " + event + "\n  expected: " + expected
                + "\n  recorded: " + recorded;
    }
}
