package habemus.client;

import habemus.fenced.Person;

/**
 * Who leads.
 *
 * @param person the client: its name, host and process
 * @param term the fence of its reign
 */
public record Leader(Person person, long term) {}
