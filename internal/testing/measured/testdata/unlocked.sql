-- A token bucket that reads its row without a lock, works for 2 ms and writes it back.
create table rate_limits (key text primary key, tokens float8 not null, stamp timestamptz not null);

create function take_token(k text, r float8, w float8) returns float8 language plpgsql as $$
declare
  row rate_limits;
  remaining float8 := r * w;
  clock timestamptz := clock_timestamp();
begin
  select * into row from rate_limits b where b.key = k;
  if found then
    remaining := least(r * w, row.tokens + r * extract(epoch from clock - row.stamp));
  end if;
  perform pg_sleep(0.002);
  if remaining < 1 then
    return remaining - 1;
  end if;
  insert into rate_limits values (k, remaining - 1, clock)
    on conflict (key) do update set tokens = excluded.tokens, stamp = excluded.stamp;
  return remaining - 1;
end $$;
