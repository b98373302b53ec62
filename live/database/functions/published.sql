-- The function of the post: one UPDATE, and one INSERT at a key's first call. The
-- stored stamp is the start of the transaction, so a wait for the row's lock is
-- credited again to the next call. The first call stores the time of its execution.
create table rate_limits (
  key    text primary key,
  tokens bigint not null,
  stamp  timestamptz not null
);

create function take_token(k text, r int default 2, w int default 60) returns bigint language plpgsql as $$
declare
  remaining bigint;
begin
  update rate_limits b set
    tokens = greatest(-1, least(r * w, b.tokens - 1 + r * {{.Elapsed}})),
    stamp = now()
  where b.key = k returning b.tokens into remaining;
  if not found then
    insert into rate_limits values (k, r * w - 1, clock_timestamp()) returning tokens into remaining;
  end if;
  return remaining;
end $$;
