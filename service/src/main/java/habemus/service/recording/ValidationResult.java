package habemus.service.recording;

import habemus.protocol.NodeId;
import habemus.world.Property;
import habemus.world.Verdict;
import java.util.List;
import java.util.Map;

/**
 * The result of the validation of one cluster's recordings.
 *
 * @param nodes what was recorded of each node
 * @param entries number of log entries that were applied, each once
 * @param differences the first wrong step of each node; none if all conform to the machines
 * @param verdicts on the properties of the log
 * @param ruleVerdicts on the rules of the locks
 * @param violations descriptions of what was violated
 * @param notes on what the recordings do not show
 */
public record ValidationResult(
        String cluster,
        List<RecordedNode> nodes,
        long entries,
        long grants,
        List<StepDifference> differences,
        Map<Property, Verdict> verdicts,
        Map<LockRule, Verdict> ruleVerdicts,
        List<String> violations,
        List<String> notes) {

    /** @param starts number of recordings: one for each start of the node */
    public record RecordedNode(NodeId node, int starts, long steps) {}

    public long steps() {
        return nodes.stream().mapToLong(RecordedNode::steps).sum();
    }

    /** Whether all steps conform to the machines, and nothing is violated. */
    public boolean isAccepted() {
        return differences.isEmpty() && violations.isEmpty();
    }
}
