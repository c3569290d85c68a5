package habemus.client;

import habemus.lockservice.ClientInfo;

/**
 * Who leads.
 *
 * @param client the client: its name, host and process
 * @param term the fence of its reign
 */
public record Leader(ClientInfo client, long term) {}
