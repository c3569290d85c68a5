package habemus.service.algorithm;

import java.util.List;

/**
 * The report of a node for a {@link StatusQuery}.
 *
 * @param httpAddress of its HTTP API; empty if it has none
 */
public record NodeReport(long pid, String httpAddress, List<GroupStatus> groups) {}
