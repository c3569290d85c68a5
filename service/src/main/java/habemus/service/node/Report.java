package habemus.service.node;

import java.util.List;

/**
 * What one node says of itself.
 *
 * @param http where its clients reach it; empty if nowhere
 */
public record Report(long pid, String http, List<Account> accounts) {}
