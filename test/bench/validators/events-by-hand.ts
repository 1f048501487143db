/**
 * The best that could be written by hand for the thirty events of the benchmark: a switch over the length of the tag, then
 * comparisons, so that fresh texts are not hashed; functions only where they are shared.
 */
interface Members {
  readonly [name: string]: unknown;
}

const uri =
  /^[a-z][a-z0-9+\-.]*:(?:\/?\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*@)?(?:\[(?:(?:(?:(?:[0-9a-f]{1,4}:){6}|::(?:[0-9a-f]{1,4}:){5}|(?:[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){4}|(?:(?:[0-9a-f]{1,4}:){0,1}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){3}|(?:(?:[0-9a-f]{1,4}:){0,2}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){2}|(?:(?:[0-9a-f]{1,4}:){0,3}[0-9a-f]{1,4})?::[0-9a-f]{1,4}:|(?:(?:[0-9a-f]{1,4}:){0,4}[0-9a-f]{1,4})?::)(?:[0-9a-f]{1,4}:[0-9a-f]{1,4}|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?))|(?:(?:[0-9a-f]{1,4}:){0,5}[0-9a-f]{1,4})?::[0-9a-f]{1,4}|(?:(?:[0-9a-f]{1,4}:){0,6}[0-9a-f]{1,4})?::)|v[0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+)\]|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)|(?:[a-z0-9\-._~!$&'()*+,;=]|%[0-9a-f]{2})*)(?::\d*)?(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*|\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*)?|(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*)(?:\?(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?(?:#(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?$/i;

function isText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isTextOrNull(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

function isWhole(value: unknown): boolean {
  return value === undefined || Number.isInteger(value);
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isEvent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const event = value as Members;
  const { type } = event;
  if (typeof type !== 'string') return false;
  if (type === 'input_audio_buffer.dtmf_event_received')
    return typeof event['event'] === 'string' && Number.isInteger(event['received_at']);
  if (typeof event['event_id'] !== 'string') return false;
  switch (type.length) {
    case 5:
      return type === 'error' && isErrorEvent(event['error']);
    case 13:
      return type === 'response.done' && isResponse(event['response']);
    case 16:
      return type === 'response.created' && isResponse(event['response']);
    case 19:
      return type === 'rate_limits.updated' && areRateLimits(event['rate_limits']);
    case 20:
      return type === 'conversation.created' && isConversation(event['conversation']);
    case 25:
      if (type === 'conversation.item.created') return isTextOrNull(event['previous_item_id']) && isItem(event['item']);
      if (type === 'conversation.item.deleted') return isId(event);
      if (type === 'response.output_item.done') return isOutputItem(event);
      return type === 'response.output_text.done' && typeof event['text'] === 'string' && isOfContent(event);
    case 26:
      if (type === 'response.output_text.delta') return typeof event['delta'] === 'string' && isOfContent(event);
      if (type === 'response.output_audio.done') return isOfContent(event);
      if (type === 'response.output_item.added') return isOutputItem(event);
      if (type === 'response.content_part.done') return isPart(event['part']) && isOfContent(event);
      return type === 'input_audio_buffer.cleared';
    case 27:
      if (type === 'response.output_audio.delta') return typeof event['delta'] === 'string' && isOfContent(event);
      if (type === 'conversation.item.retrieved') return isItem(event['item']);
      if (type === 'conversation.item.truncated')
        return isId(event) && Number.isInteger(event['content_index']) && Number.isInteger(event['audio_end_ms']);
      if (type === 'response.content_part.added') return isPart(event['part']) && isOfContent(event);
      return type === 'output_audio_buffer.started' && typeof event['response_id'] === 'string';
    case 28:
      return type === 'input_audio_buffer.committed' && isTextOrNull(event['previous_item_id']) && isId(event);
    case 33:
      if (!isId(event)) return false;
      if (type === 'input_audio_buffer.speech_started') return Number.isInteger(event['audio_start_ms']);
      return type === 'input_audio_buffer.speech_stopped' && Number.isInteger(event['audio_end_ms']);
    case 37:
      if (type === 'response.output_audio_transcript.done')
        return typeof event['transcript'] === 'string' && isOfContent(event);
      return (
        type === 'response.function_call_arguments.done' &&
        typeof event['name'] === 'string' &&
        typeof event['arguments'] === 'string' &&
        isOfCall(event)
      );
    case 38:
      if (typeof event['delta'] !== 'string') return false;
      if (type === 'response.output_audio_transcript.delta') return isOfContent(event);
      return type === 'response.function_call_arguments.delta' && isOfCall(event);
    default:
      return isLongEvent(event, type);
  }
}

function isLongEvent(event: Members, type: string): boolean {
  if (!isId(event)) return false;
  const { content_index } = event;
  switch (type) {
    case 'conversation.item.input_audio_transcription.completed':
      return Number.isInteger(content_index) && isTranscription(event);
    case 'conversation.item.input_audio_transcription.delta':
      return isWhole(content_index) && isText(event['delta']) && areLogs(event['logprobs']);
    case 'conversation.item.input_audio_transcription.failed':
      return Number.isInteger(content_index) && isTranscriptionError(event['error']);
    default:
      return false;
  }
}

function isId(event: Members): boolean {
  return typeof event['item_id'] === 'string';
}

function isOfContent(event: Members): boolean {
  return (
    typeof event['response_id'] === 'string' &&
    typeof event['item_id'] === 'string' &&
    Number.isInteger(event['output_index']) &&
    Number.isInteger(event['content_index'])
  );
}

function isOfCall(event: Members): boolean {
  return (
    typeof event['response_id'] === 'string' &&
    typeof event['item_id'] === 'string' &&
    Number.isInteger(event['output_index']) &&
    typeof event['call_id'] === 'string'
  );
}

function isOutputItem(event: Members): boolean {
  return typeof event['response_id'] === 'string' && Number.isInteger(event['output_index']) && isItem(event['item']);
}

function isErrorEvent(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { type, code, message, param, event_id } = error as Members;
  return (
    typeof type === 'string' &&
    typeof message === 'string' &&
    isTextOrNull(code) &&
    isTextOrNull(param) &&
    isTextOrNull(event_id)
  );
}

function isTranscriptionError(error: unknown): boolean {
  return (
    isObject(error) &&
    isText(error['type']) &&
    isText(error['code']) &&
    isText(error['message']) &&
    isText(error['param'])
  );
}

function isConversation(conversation: unknown): boolean {
  return isObject(conversation) && isText(conversation['id']) && isText(conversation['object']);
}

function areRateLimits(limits: unknown): boolean {
  if (!Array.isArray(limits)) return false;
  for (let index = 0; index < limits.length; index += 1) {
    const limit: unknown = limits[index];
    if (!isObject(limit)) return false;
    const { name, reset_seconds } = limit;
    if (name !== undefined && name !== 'requests' && name !== 'tokens') return false;
    if (!isWhole(limit['limit']) || !isWhole(limit['remaining'])) return false;
    if (reset_seconds !== undefined && !Number.isFinite(reset_seconds)) return false;
  }
  return true;
}

function isPart(part: unknown): boolean {
  if (!isObject(part)) return false;
  const { type } = part;
  if (type !== undefined && type !== 'audio' && type !== 'text') return false;
  return isText(part['text']) && isText(part['audio']) && isText(part['transcript']);
}

function isTranscription(event: Members): boolean {
  if (typeof event['transcript'] !== 'string') return false;
  const { languages, usage } = event;
  if (languages !== undefined) {
    if (!Array.isArray(languages)) return false;
    for (let index = 0; index < languages.length; index += 1) {
      const language: unknown = languages[index];
      if (typeof language !== 'object' || language === null || typeof (language as Members)['code'] !== 'string')
        return false;
    }
  }
  return areLogs(event['logprobs']) && isUsage(usage);
}

function isUsage(usage: unknown): boolean {
  if (typeof usage !== 'object' || usage === null) return false;
  const { type, seconds, input_tokens, output_tokens, total_tokens, input_token_details: details } = usage as Members;
  if (type === 'duration') return Number.isFinite(seconds);
  if (type !== 'tokens' || !Number.isInteger(input_tokens) || !Number.isInteger(output_tokens)) return false;
  if (!Number.isInteger(total_tokens)) return false;
  return (
    details === undefined || (isObject(details) && isWhole(details['text_tokens']) && isWhole(details['audio_tokens']))
  );
}

function areLogs(logs: unknown): boolean {
  if (logs === undefined || logs === null) return true;
  if (!Array.isArray(logs)) return false;
  for (let index = 0; index < logs.length; index += 1) {
    const log: unknown = logs[index];
    if (typeof log !== 'object' || log === null) return false;
    const { token, logprob, bytes } = log as Members;
    if (typeof token !== 'string' || !Number.isFinite(logprob) || !Array.isArray(bytes)) return false;
    for (let byte = 0; byte < bytes.length; byte += 1) if (!Number.isInteger(bytes[byte])) return false;
  }
  return true;
}

function isItem(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const item = value as Members;
  switch (item['type']) {
    case 'message':
      return isMessage(item);
    case 'function_call':
      return (
        typeof item['name'] === 'string' &&
        typeof item['arguments'] === 'string' &&
        isText(item['call_id']) &&
        isOwnItem(item)
      );
    case 'function_call_output':
      return typeof item['call_id'] === 'string' && typeof item['output'] === 'string' && isOwnItem(item);
    case 'mcp_approval_response':
      return (
        typeof item['id'] === 'string' &&
        typeof item['approval_request_id'] === 'string' &&
        typeof item['approve'] === 'boolean' &&
        isTextOrNull(item['reason'])
      );
    case 'mcp_list_tools':
      return isText(item['id']) && typeof item['server_label'] === 'string' && areTools(item['tools']);
    case 'mcp_call':
      return (
        isServerCall(item) &&
        isTextOrNull(item['approval_request_id']) &&
        isTextOrNull(item['output']) &&
        isCallError(item['error'])
      );
    case 'mcp_approval_request':
      return isServerCall(item);
    default:
      return false;
  }
}

function isServerCall(item: Members): boolean {
  return (
    typeof item['id'] === 'string' &&
    typeof item['server_label'] === 'string' &&
    typeof item['name'] === 'string' &&
    typeof item['arguments'] === 'string'
  );
}

function isCallError(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'object') return false;
  const { type, code, message } = value as Members;
  if (typeof message !== 'string') return false;
  return (
    type === 'tool_execution_error' || ((type === 'protocol_error' || type === 'http_error') && Number.isInteger(code))
  );
}

function isOwnItem(item: Members): boolean {
  const { id, object, status } = item;
  if (!isText(id) || (object !== undefined && object !== 'realtime.item')) return false;
  return status === undefined || status === 'completed' || status === 'incomplete' || status === 'in_progress';
}

function areTools(tools: unknown): boolean {
  if (!Array.isArray(tools)) return false;
  for (let index = 0; index < tools.length; index += 1) {
    const tool: unknown = tools[index];
    if (typeof tool !== 'object' || tool === null) return false;
    const { name, description, input_schema, annotations } = tool as Members;
    if (typeof name !== 'string' || !isObject(input_schema) || !isTextOrNull(description)) return false;
    if (annotations !== undefined && annotations !== null && !isObject(annotations)) return false;
  }
  return true;
}

function isMessage(item: Members): boolean {
  const { role, content } = item;
  if ((role !== 'user' && role !== 'assistant' && role !== 'system') || !Array.isArray(content)) return false;
  if (!isOwnItem(item)) return false;
  for (let index = 0; index < content.length; index += 1) {
    const part: unknown = content[index];
    if (!isObject(part) || !isText(part['text'])) return false;
    const { type } = part;
    if (role === 'system') {
      if (type !== undefined && type !== 'input_text') return false;
    } else if (!isText(part['audio']) || !isText(part['transcript'])) return false;
    else if (role === 'assistant') {
      if (type !== undefined && type !== 'output_text' && type !== 'output_audio') return false;
    } else if (!isUserPart(part, type)) return false;
  }
  return true;
}

function isUserPart(part: Members, type: unknown): boolean {
  const { image_url, detail } = part;
  if (type !== undefined && type !== 'input_text' && type !== 'input_audio' && type !== 'input_image') return false;
  if (image_url !== undefined && (typeof image_url !== 'string' || !uri.test(image_url))) return false;
  return detail === undefined || detail === 'auto' || detail === 'low' || detail === 'high';
}

function isResponse(response: unknown): boolean {
  if (!isObject(response)) return false;
  const { object, status, status_details, output, metadata, audio, usage, output_modalities, max_output_tokens } =
    response;
  if (!isText(response['id']) || !isText(response['conversation_id'])) return false;
  if (object !== undefined && object !== 'realtime.response') return false;
  if (status !== undefined && status !== 'in_progress' && !isEnd(status)) return false;
  if (status_details !== undefined && !areStatusDetails(status_details)) return false;
  if (output !== undefined) {
    if (!Array.isArray(output)) return false;
    for (let index = 0; index < output.length; index += 1) if (!isItem(output[index])) return false;
  }
  if (metadata !== undefined && metadata !== null) {
    if (!isObject(metadata)) return false;
    for (const name in metadata) if (typeof metadata[name] !== 'string') return false;
  }
  if (audio !== undefined && !isAudio(audio)) return false;
  if (usage !== undefined && !isResponseUsage(usage)) return false;
  if (output_modalities !== undefined) {
    if (!Array.isArray(output_modalities)) return false;
    for (let index = 0; index < output_modalities.length; index += 1)
      if (output_modalities[index] !== 'text' && output_modalities[index] !== 'audio') return false;
  }
  return max_output_tokens === undefined || max_output_tokens === 'inf' || Number.isInteger(max_output_tokens);
}

function isEnd(status: unknown): boolean {
  return status === 'completed' || status === 'cancelled' || status === 'failed' || status === 'incomplete';
}

function areStatusDetails(details: unknown): boolean {
  if (!isObject(details)) return false;
  const { type, reason, error } = details;
  if (type !== undefined && !isEnd(type)) return false;
  if (
    reason !== undefined &&
    reason !== 'turn_detected' &&
    reason !== 'client_cancelled' &&
    reason !== 'max_output_tokens' &&
    reason !== 'content_filter'
  )
    return false;
  return error === undefined || (isObject(error) && isText(error['type']) && isText(error['code']));
}

function isAudio(audio: unknown): boolean {
  if (!isObject(audio)) return false;
  const { output } = audio;
  if (output === undefined) return true;
  if (!isObject(output)) return false;
  const { format } = output;
  return isText(output['voice']) && (format === undefined || isFormat(format));
}

function isFormat(format: unknown): boolean {
  if (!isObject(format)) return false;
  const { type, rate } = format;
  if (type === undefined || type === 'audio/pcmu' || type === 'audio/pcma') return true;
  return type === 'audio/pcm' && (rate === undefined || rate === 24000);
}

function isResponseUsage(usage: unknown): boolean {
  if (!isObject(usage)) return false;
  const { input_token_details: input, output_token_details: output } = usage;
  if (!isWhole(usage['total_tokens']) || !isWhole(usage['input_tokens']) || !isWhole(usage['output_tokens']))
    return false;
  if (output !== undefined && !(isObject(output) && isWhole(output['text_tokens']) && isWhole(output['audio_tokens'])))
    return false;
  if (input === undefined) return true;
  if (!isObject(input) || !isWhole(input['cached_tokens'])) return false;
  const { cached_tokens_details: cached } = input;
  return areCounts(input) && (cached === undefined || (isObject(cached) && areCounts(cached)));
}

function areCounts(counts: Members): boolean {
  return isWhole(counts['text_tokens']) && isWhole(counts['image_tokens']) && isWhole(counts['audio_tokens']);
}
