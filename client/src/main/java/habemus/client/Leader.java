package habemus.client;

/**
 * The leader of an election.
 *
 * @param client the leading client
 * @param term its term, which is also its fence
 */
public record Leader(ClientIdentity client, long term) {}
