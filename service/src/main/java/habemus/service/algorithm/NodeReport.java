package habemus.service.algorithm;

import java.util.List;

/**
 * What one node says of itself.
 *
 * @param httpAddress where its clients reach it; empty if nowhere
 */
public record NodeReport(long pid, String httpAddress, List<GroupStatus> groups) {}
